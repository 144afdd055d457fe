"""Links of documents and lessons as the pages have them."""

import re
import unicodedata
import urllib.parse

import set_address

PAGES = f"https://{set_address.pages(set_address.current())}/"
OWN = re.escape(PAGES)
OWN_PAGE = re.compile(rf"\({OWN}(?!verify)(\w+)\.html\)")
# notebooks, the front page and the one that verifies, which Sphinx doesn't know
OWN_OTHER = re.compile(rf"\[([^\]]*)\]\({OWN}(lite/[^)]*|verify\.html|)\)")
PICTURE_ELSEWHERE = re.compile(r"!\[([^\]]*)\]\(https?://[^)]*\)")
ANCHOR = re.compile(r"(\]\((?![a-z]+:)[^)#\s]*)#([^)\s]+)\)")
SHOWN = re.compile(r'href="(\d\d_\w+)\.ipynb#([^"]+)"')
NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


def of_document(text, depth):
    """A document as Sphinx reads it, `depth` folders below the first page."""
    text = OWN_PAGE.sub(r"(/\1.md)", text).replace('".github/', '"_static/')
    return to_own_notebooks(as_sphinx(text), depth)


def to_own_notebooks(text, depth):
    """Markdown in which links to the front page and to notebooks that run in the browser are relative."""
    up = "../" * depth
    text = text.replace(f'href="{PAGES}"', f'href="{up}index.html"')
    return OWN_OTHER.sub(lambda link: f'<a href="{up}{link[2] or "index.html"}">{link[1]}</a>', text)


def as_sphinx(text):
    """Markdown whose badges are plain links, and whose local anchors are those of MyST's headings."""
    text = PICTURE_ELSEWHERE.sub(r"\1", re.sub(r"\)\s\[!\[", ") · [![", text))
    return ANCHOR.sub(lambda link: f"{link[1]}#{as_githubs(link[2])})", text)


def as_githubs(anchor):
    """JupyterLab's anchor of a heading, or GitHub's, as GitHub's."""
    return NOT_IN_ANCHORS.sub("", urllib.parse.unquote(anchor).lower())


def of_verdict(text, folder=""):
    """What a check says, its links to the pages of lessons in `folder` instead of to their notebooks."""
    return SHOWN.sub(lambda link: f'href="{folder}{link[1]}.html#{page_id(link[2])}"', text)


def page_id(anchor):
    """The id that Sphinx gives a heading, from JupyterLab's anchor of it."""
    letters = unicodedata.normalize("NFKD", urllib.parse.unquote(anchor).lower())
    plain = re.sub(r"[^a-z0-9]+", "-", letters.encode("ascii", "ignore").decode())
    return re.sub(r"^[-0-9]+|-+$", "", plain)
