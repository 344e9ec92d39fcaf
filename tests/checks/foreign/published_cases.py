"""Ports of Ray that a task publishes to the internet, and those that it keeps or forwards to its user alone."""

SKY = "num_nodes: 2\nresources:\n  ports: {}\nrun: |\n  {}\n"
HEAD = "ray start --head"
DASHBOARD = f"{HEAD} --dashboard-host=0.0.0.0"
SERVICE = "type: service\nauth: false\nport: {}\ncommands:\n  - {}\n"
TOKEN = "export RAY_AUTH_MODE=token\n  "

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN761", "a.sky.yaml", SKY.format(ports, text))
        for ports, text in (
            *((8265, HEAD), (6379, f"{HEAD} --port=6479"), ("8000-8100", HEAD), ("[80, 443]", HEAD)),
            *((10001, f"{HEAD} --ray-client-server-port=20001"), (6379, "ray start --address=$h:6379 --block")),
            *((6379, TOKEN + HEAD), (10001, f"env RAY_AUTH_MODE=token {HEAD}"), (8265, TOKEN + DASHBOARD)),
            *((6379, f"{HEAD} --port=$PORT"), ("$PORT", HEAD), (6379, f"{HEAD} --port=0"), (6379, "python3 t.py")),
            (6379, f"docker run img {HEAD}"),
        )
    ),
    ("MN761", "a.sky.yaml", f"num_nodes: 2\nenvs:\n  RAY_AUTH_MODE: token\nresources: {{ports: 6379}}\nrun: {HEAD}\n"),
    # dstack forwards a task's ports to its user, and asks who calls a service
    ("MN761", "a.dstack.yml", f"type: task\nnodes: 2\nports: [6379, 8265, 10001]\ncommands:\n  - {HEAD}\n"),
    ("MN761", "a.dstack.yml", SERVICE.format(8265, HEAD).replace("auth: false\n", "")),
    ("MN761", "a.dstack.yml", SERVICE.format(8265, HEAD).replace("false", "true")),
    ("MN761", "a.dstack.yml", SERVICE.format(8000, HEAD)),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(
        ("MN761", "a.sky.yaml", SKY.format(ports, text), 3)
        for ports, text in (
            *((6379, HEAD), (6479, f"{HEAD} --port=6479"), (6479, f"{HEAD} --port 6479"), (10001, HEAD)),
            *(("6000-7000", HEAD), ("[8265, 6379]", HEAD), ("'6379'", HEAD), (6479, f"P=6479\n  {HEAD} --port=$P")),
            *((20001, f"{HEAD} --ray-client-server-port=20001"), ("[10000-10010]", HEAD)),
            (6379, f"export RAY_AUTH_MODE=disabled\n  {HEAD}"),
            (6379, f"if x; then {HEAD}; else ray start --address=$h:6379; fi"),
        )
    ),
    ("MN761", "a.sky.yaml", f"num_nodes: 2\nresources:\n  ports:\n    - 80\n    - 6379\nrun: {HEAD}\n", 5),
    ("MN761", "a.sky.yaml", f"envs: {{P: 6479}}\nnum_nodes: 2\nresources: {{ports: 6479}}\nrun: {HEAD} --port=$P\n", 3),
    ("MN761", "a.sky.yaml", f"num_nodes: 2\nresources:\n  any_of:\n    - ports: 6379\nrun: {HEAD}\n", 4),
    ("MN761", "a.sky.yaml", f"num_nodes: 2\nservice: x\nresources: {{ports: 6379}}\nrun: {HEAD}\n", 3),
    ("MN761", "a.sky.yaml", SKY.format(8265, DASHBOARD), 5),
    ("MN761", "a.sky.yaml", SKY.format(8000, DASHBOARD), 5),
    ("MN761", "a.dstack.yml", SERVICE.format(8265, HEAD), 3),
    ("MN761", "a.dstack.yml", SERVICE.format("80:8265", HEAD), 3),
    ("MN761", "a.dstack.yml", SERVICE.format(9000, f"{HEAD} --dashboard-port=9000"), 3),
]
