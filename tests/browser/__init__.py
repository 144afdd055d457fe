"""A package, so that one browser serves all its tests: fixtures of scope "package"."""
