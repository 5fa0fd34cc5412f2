"""Generated texts: what is asked for, and the files of each."""

from dataclasses import dataclass

from isogloss.config import OpenAIModel
from isogloss.project.items import ItemFiles


@dataclass(frozen=True)
class GeneratedFiles(ItemFiles):
    """Generated texts by their names in the configuration."""

    def generated_folder(self, name: str) -> str:
        """Folder of generated texts."""
        return f"data/generated/{name}"

    def generated_paths(self) -> list[str]:
        """Tables of everything that is generated."""
        names = self.config.stimuli.generate
        return [
            f"{self.generated_folder(name)}/{table}.csv"
            for name in names
            for table in ("candidates", "chosen")
        ]

    def generated_inputs(self, name: str) -> list[str]:
        """Files that generation reads: items, their declaration, guises, a model's manifest."""
        made = self.config.stimuli.generate[name]
        model = [] if made.by == "rules" else [self.model_input(made.by)]
        items = f"data/items/{made.set}/items.csv"
        return [items, f"data/stimuli/{made.set}.yaml", *self.guise_files(), *model]

    def generate_options(self, name: str) -> str:
        """Options of `isogloss generate` for generated texts of the configuration."""
        made = self.config.stimuli.generate[name]
        study, _, item_set = made.set.partition("/")
        options = [
            f"{study} --set {item_set}",
            f"--guise {made.guise} --reference {made.reference}",
            f"--from data/items/{made.set}/items.csv",
        ]
        if made.by == "rules":
            options.append("--by rules")
        else:
            options.append(f"--model {made.by} --candidates {made.candidates}")
            options.append(f"--max-new-tokens {made.max_new_tokens}")
            model = self.asked_model(made.by)
            if not (isinstance(model, OpenAIModel) and model.reasoning):
                options.append(f"--temperature {made.temperature:g}")
        if made.items is not None:
            options.append(f"--items {made.items}")
        return " ".join(options)
