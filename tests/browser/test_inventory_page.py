"""The inventory's page, opened from a file: a reader clicks, hands in, and the line is what is counted."""

from attn_checks.inventory import answers, forms


def test_a_page_without_network_gives_the_line_that_is_counted(reader, tmp_path):
    page = tmp_path / "form.html"
    page.write_text(forms.files()["form-A.html"], "utf-8")
    reader.page.goto(page.as_uri())
    for question in range(1, 12):
        reader.page.locator(f"[name='{question}']").nth(question % 4).check()
    reader.page.get_by_label("Your name").fill("Zoë K")
    reader.page.get_by_role("button", name="Hand in").click()
    assert "Without an answer: 12." in reader.page.get_by_role("status").inner_text()
    with reader.page.expect_download() as download:
        reader.page.get_by_text("Download it").click()
    expected = answers.Answers("Zoë K", "A", "BCDABCDABCD-")
    assert answers.answers_in(download.value.path().read_bytes()) == ([expected], [])
    assert download.value.suggested_filename == "attention-A-Zoë-K.txt"
    assert not reader.problems
