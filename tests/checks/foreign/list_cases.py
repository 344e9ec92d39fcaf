"""Lists on a command line whose quotes the shell takes away."""

# code, file name, a text with that defect: how grave it is
SEVERITY = {
    # words that Hydra reads alike with and without quotes
    **{
        ("MN725", "a.sh", f"python train.py {word}\n"): "note"
        for word in (
            *(
                "trainer.logger=['console','wandb']",
                'trainer.logger=["console","wandb"]',
                "+tags=['a']",
                "logger=['a-1']",
            ),
            *("a.b=['x.y','_z']", "++a.b=['x',]", "a.b=['/data/x-1.parquet','y/z']"),
        )
    },
    # what becomes a number, a truth value, several words or a path, and what another parser reads
    **{
        ("MN725", "a.sh", f"python train.py {word}\n"): "warning"
        for word in (
            *("a.b=['1','2']", "a.b=['x','1e5']", "a.b=['true']", "a.b=['x','null']", "a.b=['x y']", "a.b=['x,y']"),
            *("a.b=[['a'],['b']]", "--a=['x','y']", "a.b=['$x']", "a.b=['x',1]", "a.b=['']"),
        )
    },
}
