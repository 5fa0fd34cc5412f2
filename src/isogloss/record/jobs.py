"""Jobs of a workflow."""

from pydantic import BaseModel, ConfigDict, Field


class Job(BaseModel):
    """One job of the workflow."""

    model_config = ConfigDict(frozen=True)

    rule: str = Field(alias="rule_name")
    """Name of the rule."""
    wildcards: dict[str, str] = Field(default_factory=dict)
    """Value of every wildcard, in the order of the rule's first output."""
    inputs: tuple[str, ...] = Field(alias="input")
    """Paths as Snakemake has them, relative to the project's folder."""
    outputs: tuple[str, ...] = Field(alias="output")
    """Files and directories that the job writes."""
    command: str | None = Field(alias="shellcmd")
    """Shell command with everything filled in; none for a `run` or `script` rule."""
