rule stimuli:
    input:
        lambda wildcards: project.item_inputs(wildcards.study, wildcards.item_set),
    output:
        "data/items/{study}/{item_set}/items.csv",
        "data/items/{study}/{item_set}/repairs.csv",
    log:
        "logs/stimuli/{study}/{item_set}.log",
    params:
        config=CONFIG,
        folder=lambda wildcards: project.items_folder(
            wildcards.study, wildcards.item_set
        ),
        code=project.code("stimuli"),
    shell:
        "isogloss --log {log} stimuli {wildcards.study} {wildcards.item_set} --out {params.folder}"
        " --config {params.config}"
