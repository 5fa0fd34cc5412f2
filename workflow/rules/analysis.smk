rule analysis:
    input:
        lambda wildcards: project.analysis_inputs(wildcards.study),
    output:
        project.result_paths("{study}"),
    log:
        "logs/analysis/{study}.log",
    params:
        config=CONFIG,
        folder=lambda wildcards: project.results_folder(wildcards.study),
        settings=lambda wildcards: project.section(wildcards.study, "analysis"),
        seed=project.config.seed,
        code=project.code("analysis"),
    shell:
        "isogloss --log {log} analysis {wildcards.study} --out {params.folder} --config {params.config}"
