# SPDX-License-Identifier: Apache-2.0
"""Comments of sources and paragraphs of Markdown, as sentences with the line where each begins."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_SLASHES = {".java", ".go", ".p4", ".c", ".h", ".ts", ".tsx", ".mjs", ".proto"}
SUFFIXES = _SLASHES | {".py", ".sh", ".md"}

# Strings first: a // inside of one begins no comment.
_LEXEME = re.compile(
    r'"""(?:\\.|.)*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`'
    r"|(?P<line>//[^\n]*)|(?P<block>/\*.*?\*/)",
    re.DOTALL,
)
# Words for tools, not for readers.
_DIRECTIVE = re.compile(
    r"(?://|#|/\*)\s*(?:SPDX-|go:|nolint|noqa|fmt:|type: ignore|ruff:|mypy:|shellcheck |eslint-|prettier-|@ts-|!)"
)
_CODE = re.compile(r"```.*?```|`[^`\n]*`|\{@\w+\s+[^}]*\}|<code>.*?</code>|<pre>.*?</pre>", re.DOTALL)
_BORDER = re.compile(
    r"\n\s*\n|</?(?:p|ul|ol|li|dl|dt|dd|table|tr|td|th|h\d|br)\s*/?>|\n\s*(?=[-*] |\d+\. )"
    r"|^\s*@(?:param|throws|exception)\s+\S+\s*|^\s*@(?:returns?|see)\s*",
    re.MULTILINE,
)
_END = re.compile(r"(?<=[.!?])[*_)\"”]*\s+(?=[(\"“]?[A-ZX`])")


@dataclass(frozen=True)
class Sentence:
    """A sentence without its markup; code in it is the letter X."""

    line: int
    text: str


def sentences(path: Path, text: str) -> Iterator[Sentence]:
    """The sentences of one file, in their order; the suffix names its language."""
    for line, block in blocks(path, text):
        plain = masked(block)
        for start, end in spans(plain):
            yield Sentence(line + plain.count("\n", 0, start), _words(plain[start:end]))


def blocks(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """The line and the text of each comment, without its marks."""
    if path.suffix == ".md":
        yield from _markdown(text)
    elif path.suffix == ".py":
        yield from _python(text)
    elif path.suffix in _SLASHES:
        yield from _slashes(text)
    else:
        yield from _shell(text)


def masked(block: str) -> str:
    """The block with each character of code as an X, so that offsets stay."""
    return _CODE.sub(lambda code: re.sub(r"[^\n]", "X", code[0]), block)


def spans(plain: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a masked block begin and end; headings and cells of one or two words are none."""
    for offset, paragraph in _pieces(_BORDER, plain):
        for start, piece in _pieces(_END, paragraph):
            if len(re.findall(r"[A-Za-z]+", _words(piece))) > 2:
                begin = offset + start + len(piece) - len(piece.lstrip())
                yield begin, begin + len(piece.strip())


def _words(piece: str) -> str:
    return " ".join(re.sub(r"[*_#>|]+|<[^>]*>|^[(\"“]+", " ", piece).split())


def _pieces(border: re.Pattern[str], text: str) -> Iterator[tuple[int, str]]:
    """The parts between borders, with their offsets."""
    start = 0
    for found in border.finditer(text):
        yield start, text[start : found.start()]
        start = found.end()
    yield start, text[start:]


def _markdown(text: str) -> Iterator[tuple[int, str]]:
    """Paragraphs, items and cells; no fenced code."""
    block: list[str] = []
    start, fenced = 1, False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        bare = line.strip()
        is_fence = bare.startswith("```")
        opens = bool(re.match(r"(?:[-*>] |\d+\. |#+ |\|)", bare))
        if block and (fenced or is_fence or not bare or opens):
            yield start, "\n".join(block)
            block = []
        fenced ^= is_fence
        if fenced or is_fence or not bare:
            continue
        if bare.startswith("|"):
            yield from ((number, cell) for cell in bare.strip("|").split("|"))
            continue
        if not block:
            start = number
        block.append(re.sub(r"^(?:[-*>] |\d+\. |#+ )\s*", "", bare))


def _python(text: str) -> Iterator[tuple[int, str]]:
    found = list(_docstrings(text))
    lines: list[tuple[int, int, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and not _DIRECTIVE.match(token.string):
            begins = not token.line[: token.start[1]].strip()
            lines.append((token.start[0], token.start[1] if begins else -1, token.string.lstrip("#").strip()))
    yield from sorted([*found, *_joined(lines)])


def _docstrings(text: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def _slashes(text: str) -> Iterator[tuple[int, str]]:
    lines: list[tuple[int, int, str]] = []
    found: list[tuple[int, str]] = []
    for lexeme in _LEXEME.finditer(text):
        number = text.count("\n", 0, lexeme.start()) + 1
        if lexeme["block"] and not _DIRECTIVE.match(lexeme["block"]):
            inner = re.sub(r"^/\*+|\*+/$", "", lexeme["block"])
            found.append((number, re.sub(r"^[ \t]*\*+ ?", "", inner, flags=re.MULTILINE)))
        elif lexeme["line"] and not _DIRECTIVE.match(lexeme["line"]):
            column = lexeme.start() - (text.rfind("\n", 0, lexeme.start()) + 1)
            begins = not text[lexeme.start() - column : lexeme.start()].strip()
            lines.append((number, column if begins else -1, lexeme["line"].lstrip("/").strip()))
    yield from sorted([*found, *_joined(lines)])


def _shell(text: str) -> Iterator[tuple[int, str]]:
    """Lines of their own, outside of here-documents."""
    lines: list[tuple[int, int, str]] = []
    end = ""
    for number, line in enumerate(text.splitlines(), 1):
        if end:
            end = "" if line.strip() == end else end
            continue
        if line.lstrip().startswith("#") and not _DIRECTIVE.match(line.lstrip()):
            lines.append((number, len(line) - len(line.lstrip()), line.strip().lstrip("#").strip()))
        here = re.search(r"<<-?\s*['\"]?(\w+)", line)
        end = here[1] if here else ""
    yield from _joined(lines)


def _joined(lines: list[tuple[int, int, str]]) -> Iterator[tuple[int, str]]:
    """Comments of one line as those blocks that they form: each below the last, in the same column (-1: after code)."""
    block: list[str] = []
    start = last = column = -1
    for number, at, text in lines:
        if block and (number != last + 1 or at != column or at < 0):
            yield start, "\n".join(block)
            block = []
        if not block:
            start = number
        last, column = number, at
        block.append(text)
    if block:
        yield start, "\n".join(block)
