"""Read the files of one loading: the manifest, overlays, site files; and the settings beside them."""

from __future__ import annotations

from collections.abc import Callable, Container
from pathlib import PurePosixPath

from msgspec import Struct, field

from mngen.diagnostics import Diagnostic, Severity, Span
from mngen.manifest import leaf
from mngen.manifest import settings as setting
from mngen.manifest.layers import Layers, children
from mngen.manifest.nearest import hint, one_of
from mngen.manifest.node import Node, child
from mngen.manifest.schema import validate
from mngen.manifest.scope import Scope
from mngen.manifest.source import load_text


def no_file(path: str) -> str:
    """Stand in for a reader where no other file can be read."""
    raise FileNotFoundError(2, "no files can be read here", path)


class Reading(Struct):
    """Reads each file once; ``findings`` and ``lines`` collect what all of them brought."""

    read: Callable[[str], str]
    findings: list[Diagnostic] = field(default_factory=list)
    lines: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _sites: dict[str, Node | None] = field(default_factory=dict)

    def manifest(self, text: str, file: str) -> Node | None:
        """Return the manifest's tree."""
        return self._tree(text, file, "manifest")

    def overlays(self, overlays: tuple[tuple[str, str], ...]) -> tuple[Node, ...]:
        """Return the trees of the overlays that are readable."""
        trees = (self._tree(text, name, "overlay") for name, text in overlays)
        return tuple(tree for tree in trees if tree is not None)

    def settings(self, texts: tuple[str, ...]) -> tuple[Node, ...]:
        """Return the trees of the settings that are readable."""
        if texts:
            self.lines[setting.FILE] = texts
        trees: list[Node] = []
        for number, text in enumerate(texts, 1):
            tree = setting.read_setting(text, number)
            if isinstance(tree, Diagnostic):
                self.findings.append(tree)
            else:
                trees.append(tree)
        return tuple(trees)

    def wanted(self, layers: Layers, settings: tuple[Node, ...], asked: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the targets to load, in the manifest's order; unknown ones are findings."""
        known = layers.target_names(without=settings)
        self._require_kinds(layers)
        for tree in settings:
            for name, node in children(tree, "targets").items():
                if name not in known:
                    self._unknown_target(name, known, node.key_span)
        place = child(layers.manifest, "targets")
        for name in asked:
            if name not in known:
                self._unknown_target(name, known, place.key_span if place else layers.manifest.span)
        return tuple(name for name in known if name in asked or not asked)

    def _require_kinds(self, layers: Layers) -> None:
        """Take a target that only overlays know, and none gives a kind, for one that is misspelt."""
        own = layers.target_names(without=layers.overlays)
        further = [item for tree in layers.overlays for item in children(tree, "targets").items()]
        known = {*own, *(name for name, node in further if child(node, "kind") is not None)}
        for name, node in further:
            if name not in known and node.span.file != setting.FILE:
                self._unknown_target(name, own, node.key_span)

    def site(self, layers: Layers, name: str, refused: Container[Span | None] = ()) -> Node | None:
        """Return the content of a target's site file, ``None`` without one or after a finding.

        A path at a place that the schema ``refused`` is not tried as well: one value has one finding.
        """
        node = layers.site(name)
        if node is None or node.span in refused:
            return None
        variables = children(layers.effective(name, None), "vars")
        scope = Scope(values={"target": name}, variables=variables, lines=self.lines)
        path = leaf.line(scope, node, "site")
        self.findings += scope.findings
        if path is None or scope.findings:
            return None
        # In messages a site file is named as the manifest is: from where the command runs.
        folder = PurePosixPath(layers.manifest.span.file).parent
        if path not in self._sites:
            self._sites[path] = self._site_file(path, str(folder / path), node)
        return self._sites[path]

    def _site_file(self, path: str, shown: str, node: Node) -> Node | None:
        try:
            text = self.read(path)
        except (OSError, UnicodeError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not UTF-8 text"
            message = f"the site file `{path}` cannot be read: {reason}"
            where = "its path is relative to the manifest"
            self.findings.append(Diagnostic("MN113", Severity.ERROR, message, node.span, where))
            return None
        tree = self._tree(text, shown, "site")
        if tree is None:
            return None
        self.findings += validate(tree, "target-fields")
        nested = child(tree, "site")
        if nested is not None:
            message = "a site file cannot name another site file"
            self.findings.append(
                Diagnostic("MN113", Severity.ERROR, message, nested.key_span, "move those fields here")
            )
        return tree

    def _tree(self, text: str, file: str, layer: str) -> Node | None:
        source = load_text(text, file, layer=layer)
        self.lines[file] = source.lines
        self.findings += source.diagnostics
        return source.root

    def _unknown_target(self, name: str, known: tuple[str, ...], span: Span | None) -> None:
        message = f"there is no target `{name}`"
        all_known = f"expected {one_of(known)}" if known else None
        self.findings.append(Diagnostic("MN111", Severity.ERROR, message, span, hint(name, known, all_known)))
