"""Credentials and secrets in other places than ``env`` and arguments."""

from __future__ import annotations

# As a key looks, in no form that a scanner knows.
RANDOM = "kd83jf82kd03jf84" + "a9s8d7f6"
SHM = {"resources": {"shm": "64G"}}


def container(runtime, *words):
    resources = SHM if runtime in {"docker", "podman"} else {}
    return {"runtime": runtime, "image": {"ref": "a/b:1"}, "container": {"options": list(words)}, **resources}


def raw(kind, **block):
    return {"kind": kind, "raw": block}


VALUED = {
    "directive": {"slurm": {"export": f"ALL,API_KEY={RANDOM}"}},
    "directive in quotes": {"slurm": {"export": f"ALL,API_KEY='{RANDOM}'"}},
    "raw directive": {"slurm": {"extra": [f"--export=ALL,A=1,API_KEY={RANDOM}"]}},
    "raw directive in two": {"slurm": {"extra": ["--export", f"ALL,API_KEY={RANDOM}"]}},
}
CASES = {
    **{f"password in a {name}": (fields, ["MN238w", "MN267w"]) for name, fields in VALUED.items()},
    "value of another name in a directive": ({"slurm": {"export": f"ALL,COMMIT={RANDOM}"}}, ["MN238w"]),
    **{
        f"password in an option of {runtime}: {words[0]}": (container(runtime, *words), ["MN267w"])
        for runtime, *words in (
            ("docker", "-e", f"API_KEY={RANDOM}"),
            ("docker", f"--env=API_KEY={RANDOM}"),
            ("docker", f"-eAPI_KEY={RANDOM}"),
            ("podman", "--env", f"API_KEY={RANDOM}"),
            ("apptainer", "--env", f"A=1,API_KEY={RANDOM}"),
        )
    },
    "name alone in an option": (container("docker", "-e", "API_KEY"), []),
    "value of another name in an option": (container("docker", "-e", f"COMMIT={RANDOM}"), []),
    "password in raw": (raw("skypilot", envs={"API_KEY": RANDOM}), ["MN267w"]),
    "password in raw secrets": (raw("skypilot", secrets={"API_KEY": RANDOM}), ["MN267w"]),
    "password in a raw list": (raw("dstack", env=[f"API_KEY={RANDOM}"]), ["MN267w"]),
    "name in a raw list": (raw("dstack", env=["API_KEY"]), []),
}
HEX = "0123456789abcdef" * 2
AWS_SECRET = "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY"
WORDS = "correct" + "horsebattery"
SHORT = "S3cr3t!" + "pass99"
CHOSEN = {
    "AWS_SECRET_ACCESS_KEY": AWS_SECRET,
    "PGPASSWORD": WORDS,
    "DB_PASSWORD": SHORT,
    "MYSQL_PWD": SHORT,
    "KEY_PASSPHRASE": WORDS,
}
CASES.update(
    {f"{name} in env": ({"env": {name: value}}, ["MN267w"]) for name, value in CHOSEN.items()}
    | {
        "password in a typed export": ({"slurm": {"export": f"ALL,DB_PASSWORD={SHORT}"}}, ["MN238w", "MN267w"]),
        **{
            f"{place} of a command: {words[0]}": ({"driver": {"command": ["train", *words]}}, ["MN267w"])
            for place, *words in (
                ("option", f"--password={SHORT}"),
                ("option in two", "--password", SHORT),
                ("option", f"--token={HEX}"),
                ("option in two", "--token", HEX),
                ("option", f"--api-key={RANDOM}"),
                ("setting", f"db.password={SHORT}"),
                ("setting", f"+trainer.api_key={RANDOM}"),
                ("option", f"--hf-token={RANDOM}"),
            )
        },
        "option of a service": ({"services": {"a": {"command": ["serve", f"--api-key={RANDOM}"]}}}, ["MN267w"]),
        "log-in to a registry": (raw("dstack", registry_auth={"username": "me", "password": SHORT}), ["MN267w"]),
        "key deep in raw": (raw("skypilot", config={"a": [{"api_key": RANDOM}]}), ["MN267w"]),
        "log-in to a registry, by name": (raw("dstack", registry_auth={"password": "${{ secrets.p }}"}), []),
        **{
            f"no secret: {words}": ({"driver": {"command": ["train", *words]}}, [])
            for words in (
                ("--eos-token", "end_of_text_token_151645"),
                ("--step-token=good_step_token_12649",),
                ("model.image_token=kd83jf82kd03jf84",),
                ("--max-token", "131072"),
                ("--password-file=/run/secrets/password1",),
                ("--password", "/run/secrets/password1"),
                ("--password", "--verbose"),
                ("--api-key", "EMPTY"),
                ("--password=changeme",),
                ("--token",),
                ("password", SHORT),
            )
        },
        **{
            f"no password: {value}": ({"env": {"DB_PASSWORD": value}}, [])
            for value in (
                "",
                "changeme",
                "password",
                "<your-password>",
                "YOUR_PASSWORD",
                "********",
                "/etc/db_password",
            )
        },
        "no password: of the node": ({"env": {"DB_PASSWORD": "${{ env.OTHER_PASSWORD }}"}}, []),
        "no key: a path": ({"env": {"API_KEY": "/home/me/keys/Abcdef0123456789/Abcdef0123"}}, []),
    }
)
TEXT = "/x/${{ env.A }}/y"
PLACES = {
    "endpoint": {"endpoint": {"file": TEXT}},
    "workdir": {"workdir": TEXT},
    "source of a mount": {"mounts": [{"source": TEXT, "target": "/data"}]},
    "file of variables": {"env_files": [TEXT]},
    "file of a secret": {"secrets": {"A": {}, "B": {"file": TEXT}}},
    "image of Apptainer": {"runtime": "apptainer", "image": {"sif": TEXT}},
    "image of pyxis": {"runtime": "pyxis", "image": {"sqsh": TEXT}},
    "result of a step": {"prepare": [{"run": "x", "creates": TEXT}]},
    "argument of Ray": {"ray": {"head_args": ["--labels=a=${{ env.A }}"]}},
}
CASES.update(
    {f"secret in {name}": ({"secrets": {"A": {}}, **fields}, ["MN268"]) for name, fields in PLACES.items()}
    | {f"variable in {name}": (fields, []) for name, fields in PLACES.items() if name != "file of a secret"}
    | {
        "what a rented machine is told": ({"secrets": {"A": {}}, "kind": "dstack", "workdir": "/x/${{ env.A }}"}, []),
        "secret in a variable": ({"secrets": {"A": {}}, "env": {"B": "x${{ env.A }}"}}, []),
        "secret in a text for a shell": ({"secrets": {"A": {}}, "setup": "x <<<${{ env.A }}"}, []),
    }
)


def test_findings(codes, fields, expected):
    assert codes(**fields) == sorted(expected)


def test_the_word_with_the_value_is_pointed_at(target, findings):
    fields = container("docker", "-e", f"API_KEY={RANDOM}")
    (found,) = findings(**fields)
    assert found.message.startswith("container.options.1 sets API_KEY, which is named like a secret")
