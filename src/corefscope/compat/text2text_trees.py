"""Trees of the skeleton as the importer changes them: empty nodes are deleted and created, or moved.

Numbers of empty nodes are decimal fractions, as in the importer: ``3.1`` + 0.1, rounded or not. Heads of mentions are
found in basic and enhanced dependencies as by the block ``MoveHead`` of udapi.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

_ID, _FORM, _LEMMA, _HEAD, _DEPS, _MISC = 0, 1, 2, 6, 8, 9


class ChainError(Exception):
    """Error with which a program of the chain ends, and its cause."""

    def __init__(self, error: str, cause: str) -> None:
        super().__init__(error, cause)
        self.error = error
        self.cause = cause


by_number: attrgetter[float] = attrgetter("number")
"""Sort key for the nodes of a sentence."""


def meeting_point(nodes: Sequence[TreeNode]) -> TreeNode:
    """Node where the paths up from all nodes meet, if they climb in turns until one reaches the root.

    This is the lowest common ancestor, unless one node is so much higher than another that its path ends early: then
    that node is taken for the ancestor of the others.
    """
    below: dict[float, TreeNode | None] = dict.fromkeys(node.number for node in nodes)
    climbing, top = deque(nodes), None
    while len(climbing) > 1:
        node = climbing.popleft()
        if node.parent is None:
            top = node
        elif node.parent.number in below:
            below[node.parent.number] = None
        else:
            below[node.parent.number] = node
            climbing.append(node.parent)
    place = top or climbing[0]
    while (lower := below[place.number]) is not None:
        place = lower
    return place


def head_of(words: Sequence[TreeNode]) -> TreeNode:
    """Head of a mention whose first word was its head."""
    inside = set(words)
    heads = [word for word in words if word.parent is None or word.parent not in inside]
    if len(heads) > 1:
        free = [word for word in heads if not any(parent in inside for parent in word.enhanced_parents)]
        heads = free or [word for word in heads if not all(parent in inside for parent in word.enhanced_parents)]
    if not heads:
        return words[0]
    if len(heads) == 1:
        return heads[0]
    governors = [word for word in heads if not word.empty]
    for word in heads:
        parents = [parent for parent, _ in word.dependencies if not parent.empty] if word.empty else []
        if parents and parents[0] not in governors:
            governors.append(parents[0])
    if not governors:
        raise ChainError("IndexError", f"empty nodes of a mention in {words[0].tree.name} depend on no word")
    highest = meeting_point(sorted(governors, key=by_number))
    return next(word for word in (highest, words[0], heads[0]) if word in heads)


class TreeNode:
    """A word, an empty node, or the root of a sentence."""

    def __init__(self, tree: Tree, number: float, columns: list[str], empty: bool = False) -> None:
        self.tree = tree
        self.number = number
        self.columns = columns
        self.empty = empty
        self.parent: TreeNode | None = None
        self.entity = ""
        self._dependencies: list[tuple[TreeNode, str]] | None = None

    @property
    def dependencies(self) -> list[tuple[TreeNode, str]]:
        """The enhanced dependencies: parent and relation."""
        if self._dependencies is None:
            written = self.columns[_DEPS]
            self._dependencies = [self.tree.dependency(part) for part in written.split("|") if written != "_"]
        return self._dependencies

    @dependencies.setter
    def dependencies(self, changed: list[tuple[TreeNode, str]]) -> None:
        self._dependencies = changed
        self.columns[_DEPS] = ""

    @property
    def enhanced_parents(self) -> list[TreeNode]:
        """The parents in DEPS; where that is ``_``, the parent in HEAD."""
        if self.columns[_DEPS] != "_":
            return [parent for parent, _ in self.dependencies]
        return [self.parent] if self.parent else []

    @property
    def form(self) -> str | None:
        """The form; None for a zero that was created."""
        return self.columns[_FORM] or None

    @property
    def depth(self) -> int:
        """Depth in the tree."""
        count, above = 0, self.parent
        while above:
            count, above = count + 1, above.parent
        return count

    def line(self, names: Mapping[TreeNode, str]) -> str:
        """The line of the file, given the names of all nodes."""
        columns = [names[self], self.form or "_", *self.columns[2:]]
        if self._dependencies:
            parts = sorted({(parent.number, names[parent], relation) for parent, relation in self._dependencies})
            columns[_DEPS] = "|".join(f"{name}:{relation}" for _, name, relation in parts)
        columns[_DEPS] = columns[_DEPS] or "_"
        columns[_MISC] = f"Entity={self.entity}" if self.entity else "_"
        return "\t".join(columns)


class Tree:
    """A sentence: its comments, words, empty nodes, and lines of multiword tokens."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.root: TreeNode = TreeNode(self, 0, ["0"] + ["_"] * 9)
        self.comments: list[str] = []
        self.words: list[TreeNode] = []
        self.empty: list[TreeNode] = []
        self.ranges: dict[int, str] = {}
        for line in lines:
            if line.startswith("#"):
                self.comments.append(line)
                continue
            columns = (line.split("\t") + ["_"] * 9)[:10]
            if not re.fullmatch(r"\d+([.-]\d+)?", columns[_ID]):
                raise ChainError("ValueError", f"{columns[_ID]!r} in {self.name} is not the id of a word")
            if "-" in columns[_ID]:
                self.ranges[int(columns[_ID].partition("-")[0])] = line
            elif "." in columns[_ID]:
                self.empty.append(TreeNode(self, float(columns[_ID]), columns, empty=True))
            else:
                self.words.append(TreeNode(self, int(columns[_ID]), columns))
        for word in self.words:
            head = word.columns[_HEAD]
            word.parent = self._node("0" if head == "_" else head)
        safe = {self.root}
        for word in self.words:
            way = [word]
            while way[-1] not in safe and (above := way[-1].parent) and len(way) <= len(self.words):
                way.append(above)
            if way[-1] not in safe:
                raise ChainError("ValueError", f"words of {self.name} depend on each other in a circle")
            safe.update(way)

    @property
    def nodes(self) -> list[TreeNode]:
        """Words and empty nodes in the order of their numbers."""
        return sorted(self.words + self.empty, key=by_number)

    def _node(self, written: str) -> TreeNode:
        if not written.isdecimal() or int(written) > len(self.words):
            raise ChainError("ValueError", f"no word {written} in {self.name}")
        return self.words[int(written) - 1] if int(written) else self.root

    @property
    def id(self) -> str:
        """The sent_id; empty if there is none."""
        found = [re.match(r"# sent_id\s*=?\s*(\S+)", line) for line in self.comments]
        return next((match[1] for match in found if match), "")

    @property
    def name(self) -> str:
        """Name of the sentence in messages."""
        return f"sentence {self.id!r}"

    def dependency(self, written: str) -> tuple[TreeNode, str]:
        """One item of DEPS."""
        head, colon, relation = written.partition(":")
        if not colon:
            raise ChainError("ValueError", f"DEPS {written!r} in {self.name} has no relation")
        if "." not in head:
            return self._node(head), relation
        for node in self.empty:
            if str(node.number) == head:
                return node, relation
        raise ChainError("ValueError", f"no empty node {head} in {self.name}")

    def cut_parents(self) -> None:
        """``SingleParent``: of several parents of an empty node keep the highest, and no empty one."""
        for node in self.empty:
            parents = [parent for parent, _ in node.dependencies if not parent.empty]
            if len(node.dependencies) < 2:
                continue
            if parents:
                highest = meeting_point(parents)
                kept = highest if highest in parents else min(parents, key=lambda parent: parent.depth)
                node.dependencies = [item for item in node.dependencies if item[0] is kept]
            else:
                node.dependencies = []

    def delete_empty(self) -> None:
        """Delete all empty nodes, and dependencies on them."""
        if self.empty:
            for node in self.words:
                if node.dependencies:
                    node.dependencies = [item for item in node.dependencies if not item[0].empty]
        self.empty = []

    def create_empty(self, parent: TreeNode, relation: str) -> TreeNode:
        """Add an empty node after its parent, and after the empty nodes there."""
        number = parent.number + 0.1
        for node in self.empty:
            if node.number > number:
                break
            if node.number == number:
                if number == parent.number + 0.9:
                    raise ChainError("TypeError", f"more than nine empty nodes behind a word of {self.name}")
                number = round(number + 0.1, 1)
        return self._add(number, [(parent, relation)])

    def _add(self, number: float, dependencies: list[tuple[TreeNode, str]]) -> TreeNode:
        node = TreeNode(self, number, ["_", "", *["_"] * 8], empty=True)
        node.dependencies = dependencies
        self.empty.append(node)
        self.empty.sort(key=by_number)
        return node

    def move_empty(self) -> None:
        """Move empty nodes after their parents, unless they are there already."""
        for node in self.nodes:
            if not node.empty:
                continue
            if not node.dependencies:
                raise ChainError("IndexError", f"empty node {node.number} in {self.name} depends on no word")
            parent, relation = node.dependencies[0]
            if int(node.number) == parent.number:
                continue
            if parent is self.root:
                number = 0.1
                for other in self.empty:
                    if int(other.number) == 0:
                        number += 0.1
                moved = self._add(number, [])
            else:
                moved = self.create_empty(parent, relation)
            moved.columns[_FORM : _LEMMA + 1] = node.columns[_FORM : _LEMMA + 1]
            for other in self.empty:
                if any(above is node for above, _ in other.dependencies):
                    other.dependencies = [(moved if up is node else up, name) for up, name in other.dependencies]
            moved.dependencies = node.dependencies
            self._remove(node)

    def _remove(self, node: TreeNode) -> None:
        """Remove an empty node; those that follow, even after the next word, are renumbered."""
        for other in self.empty + self.words:
            if other.dependencies:
                other.dependencies = [item for item in other.dependencies if item[0] is not node]
        for other in self.empty:
            if node.number < other.number < node.number + 1:
                other.number = round(other.number - 0.1, 1)
        self.empty.remove(node)

    def names(self) -> dict[TreeNode, str]:
        """Numbers of all nodes in the file; empty nodes that share one, or have 4.0, get the next ones."""
        names = {self.root: "0"}
        major = minor = 0
        for node in self.nodes:
            if not node.empty:
                major, minor = int(node.number), 0
                names[node] = str(node.number)
                continue
            digits = str(node.number).partition(".")[2]
            minor = max(minor + 1, int(digits)) if len(digits) == 1 else minor + 1
            names[node] = f"{major}.{minor}"
        return names

    @property
    def is_misnumbered(self) -> bool:
        """Whether moving has given an empty node a number that it cannot have in a file."""
        return any(str(node.number) != name for node, name in self.names().items())

    @property
    def lines(self) -> Iterator[str]:
        """The lines of the file, without the comments."""
        names = self.names()
        for node in self.nodes:
            if not node.empty and node.number in self.ranges:
                yield self.ranges[int(node.number)]
            yield node.line(names)


def trees_of(lines: Iterable[str]) -> Iterator[Tree]:
    """The sentences of a CoNLL-U file, up to the first without words: two empty lines end it."""
    waiting: list[str] = []
    for line in [*(line.rstrip() for line in lines), ""]:
        if line:
            waiting.append(line)
            continue
        tree = Tree(waiting)
        if not tree.words:
            return
        yield tree
        waiting = []
