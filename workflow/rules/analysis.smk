for study in project.config.studies:

    rule:
        name:
            f"analysis_{study}"
        input:
            project.analysis_inputs(study),
        output:
            project.result_paths(study),
        log:
            f"logs/analysis/{study}.log",
        params:
            config=CONFIG,
            study=study,
            folder=lambda wildcards, output: Path(output[0]).parent.as_posix(),
            settings=project.section(study, "analysis"),
            seed=project.config.seed,
            code=code_digest("analysis"),
        shell:
            "isogloss --log {log} analysis {params.study} --out {params.folder} --config {params.config}"
