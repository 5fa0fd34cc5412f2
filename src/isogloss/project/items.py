"""Item sets: which there are, and the files of each before and after validation."""

from dataclasses import dataclass

from isogloss.fetch import FileSource, mirror_dir
from isogloss.project.models import ModelFiles
from isogloss.stimuli.sets import DeclaredSet, set_named
from isogloss.studies.registry import STUDIES


@dataclass(frozen=True)
class ItemFiles(ModelFiles):
    """Item sets by study, or folder of `data/stimuli`, and name."""

    def sets(self) -> list[str]:
        """Names of the item sets to validate: those of the runs, then those configured beside.

        A set whose file can be had from nowhere is not among them; see `sets_out_of_reach`.
        """
        of_runs = [f"{job.study}/{job.items}" for job in self.jobs()]
        out_of_reach = self.sets_out_of_reach()
        wanted = dict.fromkeys((*of_runs, *self._sets_beside()))
        return [name for name in wanted if name not in out_of_reach]

    def folders(self) -> list[str]:
        """Studies that are configured, and folders of the item sets to validate."""
        of_sets = (name.partition("/")[0] for name in self.sets())
        return list(dict.fromkeys((*self.config.studies, *of_sets)))

    def sets_out_of_reach(self) -> dict[str, str]:
        """Configured item sets that cannot be had here, with the reason."""
        mirror = mirror_dir(self.root)
        found = {}
        for name in self._sets_beside():
            source = self.declared[name].content.source
            pin = None if source is None else self.sources[source]
            if not isinstance(pin, FileSource) or pin.url is not None:
                continue
            if (self.root / self.raw_path(str(source))).is_file():
                continue
            if mirror is None or not (mirror / pin.mirror).is_file():
                found[name] = f"{pin.mirror} has no public address and is in no sources mirror here"
        return found

    def _sets_beside(self) -> list[str]:
        """Item sets that are configured beside those of the runs."""
        tested = (contrast.set for contrast in self.config.weat.contrasts.values())
        return list(dict.fromkeys((*self.config.stimuli.sets, *tested)))

    def declared_set(self, study: str, items: str) -> DeclaredSet:
        """Return an item set's declaration; raise `ConfigurationError` when there is none."""
        return set_named(self.declared, study, items)

    def items_folder(self, study: str, items: str) -> str:
        """Folder of an item set."""
        return f"data/items/{study}/{items}"

    def item_inputs(self, study: str, items: str) -> list[str]:
        """Files from which an item set is made: authored files, then fetched sources."""
        if study in STUDIES and items in STUDIES[study].item_sets:
            item_set = STUDIES[study].item_set(items)
            if not item_set.as_declared:
                return [*item_set.files, *(self.raw_path(source) for source in item_set.sources)]
        content = self.declared_set(study, items).content
        return [content.file] if content.file else [self.raw_path(str(content.source))]

    def validation_inputs(self, study: str, items: str) -> list[str]:
        """Files that the validation of an item set reads beside its items.

        These are its declaration, every guise with its lexicon, what the checks count, the items
        of other sets, of which no text may stand here again, and the manifest of the judge.
        """
        declaration = f"data/stimuli/{study}/{items}.yaml"
        judge = self.config.stimuli.judge
        model = [] if judge is None else [self.model_input(judge)]
        return [declaration, *self.guise_files(), *self.other_items(f"{study}/{items}"), *model]

    def other_items(self, name: str) -> list[str]:
        """Items of the sets whose texts must not stand in a set again.

        These are published sets and, for an authored one, those authored sets that are listed
        before it; never those that share texts with it on purpose. So an edit of one set does not
        validate all the others again. A set that is not among them stands behind them all.
        """
        ordered = sorted(self.sets(), key=lambda other: self.declared[other].content.source is None)
        earlier = ordered[: ordered.index(name)] if name in ordered else ordered
        related = self.declared[name].content.related
        return [f"data/items/{other}/items.csv" for other in earlier if other not in related]

    def guise_files(self) -> list[str]:
        """Definitions of guises, and everything that is counted in texts."""
        folders = ("data/guises", "data/lexicons")
        paths = [path for f in folders for path in sorted((self.root / f).glob("*.yaml"))]
        return [path.relative_to(self.root).as_posix() for path in paths]

    def set_tables(self) -> list[str]:
        """Tables that validation wrote for every item set."""
        names = ("items", "checks", "verdicts")
        return [f"data/items/{name}/{table}.csv" for name in self.sets() for table in names]

    def review_files(self) -> list[str]:
        """Decisions of human reviewers that are kept in the project."""
        paths = sorted((self.root / "data" / "reviews").rglob("*.csv"))
        return [path.relative_to(self.root).as_posix() for path in paths]
