"""Everything about one lesson but its notebook: a folder per lesson, a file per exercise."""
