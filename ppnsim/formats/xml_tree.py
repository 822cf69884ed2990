"""XML as a tree that knows its lines, read by expat; document types are refused, and with them every entity bomb."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from ppnsim.formats.decode import DecodeError

_DEEPEST = 100


@dataclass(frozen=True, slots=True)
class Element:
    """An element: its tag, its attributes, the line on which it begins, and the elements in it."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> Iterator[Element]:
        """Return the elements of this tag directly in it."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """Return the first element of this tag directly in it, or None."""
        return next(self.all(tag), None)

    def text(self, key: str) -> str:
        """Return an attribute that has to be there."""
        if key not in self.attributes:
            self.refuse(f"{key} is missing")
        value = self.attributes[key]
        if not value.strip() or not value.isprintable():
            self.refuse(f"{key} = {value!r} must be a text of printable characters")
        return value

    def refuse(self, words: str) -> NoReturn:
        """Raise that this element breaks a rule, with its line."""
        named = self.attributes.get("name", "").strip()
        where = f"{self.tag} '{named}'" if named and named.isprintable() else f"<{self.tag}>"
        raise DecodeError(f"{where}: {words}", place=str(self.line))


def decode_xml(text: str) -> Element:
    """Return the root of an XML text.

    Raises
    ------
    DecodeError
        At the first place that is not XML, and at a document type: SDF3 writes none, and entities that it could
        declare may stand for gigabytes or for other files.

    Examples
    --------
    >>> decode_xml("<sdf3 type='sdf'><applicationGraph/></sdf3>").children[0].tag
    'applicationGraph'
    >>> decode_xml("<!DOCTYPE sdf3><sdf3/>")
    Traceback (most recent call last):
    ppnsim.formats.decode.DecodeError: <!DOCTYPE> is not read: it can make a file mean more than is written in it
    """
    parser = expat.ParserCreate()
    document = Element("", {}, 0)
    path = [document]

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, parser.CurrentLineNumber)
        if len(path) > _DEEPEST:
            element.refuse(f"stands in more than {_DEEPEST} others, which no graph needs")
        path[-1].children.append(element)
        path.append(element)

    def refuse_document_type(*_: object) -> NoReturn:
        words = "<!DOCTYPE> is not read: it can make a file mean more than is written in it"
        raise DecodeError(words, place=f"{parser.CurrentLineNumber}:{parser.CurrentColumnNumber + 1}")

    parser.StartElementHandler, parser.EndElementHandler = start, lambda _: path.pop()
    parser.StartDoctypeDeclHandler = refuse_document_type
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        place = f"{error.lineno}:{error.offset + 1}"
        raise DecodeError(f"is not XML ({expat.ErrorString(error.code)})", place=place) from None
    return document.children[0]
