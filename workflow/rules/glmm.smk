rule glmm:
    input:
        lambda wildcards: project.mixed_inputs(wildcards.study),
    output:
        project.mixed_paths("{study}"),
    log:
        "logs/glmm/{study}.log",
    params:
        config=CONFIG,
        folder=lambda wildcards: project.results_folder(wildcards.study),
        settings=lambda wildcards: project.section(wildcards.study, "analysis"),
        seed=project.config.seed,
        code=code_digest("glmm"),
    shell:
        "isogloss --log {log} glmm {wildcards.study} --out {params.folder} --config {params.config}"
