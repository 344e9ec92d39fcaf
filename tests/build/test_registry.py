"""Digests, platforms and labels as a registry tells them, with logins and with what goes wrong."""

from __future__ import annotations

import json

import pytest

from mngen.build.credentials import Login
from mngen.build.failures import BuildFailure
from mngen.build.names import location
from mngen.build.registry import Found, Registry

LOGIN = Login("ci", "s3cret-of-ci")


def find(fake, kept=None, tag="1"):
    place = location(f"{fake.address}/rl/verl:{tag}")
    client = Registry(place.host, kept=kept or Login())
    return client, place, client.find(place)


def test_a_tag_is_told_as_the_digest_of_what_was_sent(registry) -> None:
    digest = registry.put("rl/verl", "1", {"schemaVersion": 2})
    assert find(registry)[2].digest == digest


def test_an_index_has_a_digest_for_each_platform_and_none_for_attestations(registry) -> None:
    image = registry.put_image("rl/verl", "amd", {"a": "b"})
    manifests = [
        {"digest": image, "platform": {"os": "linux", "architecture": "amd64"}},
        {"digest": "sha256:2", "platform": {"os": "linux", "architecture": "arm64", "variant": "v8"}},
        {"digest": "sha256:3", "platform": {"os": "unknown", "architecture": "unknown"}},
    ]
    registry.put("rl/verl", "1", {"schemaVersion": 2, "manifests": manifests})
    client, place, found = find(registry)
    assert found.platforms == {"linux/amd64": image, "linux/arm64/v8": "sha256:2"}
    assert client.labels(place, found) == {"a": "b"}


@pytest.mark.parametrize("bearer", [False, True], ids=["basic", "token"])
def test_a_login_is_used_where_it_is_asked_for(registry, bearer) -> None:
    registry.basic, registry.bearer = "ci:s3cret-of-ci", bearer
    digest = registry.put("rl/verl", "1", {"schemaVersion": 2})
    assert find(registry, LOGIN)[2].digest == digest


@pytest.mark.parametrize(("kept", "kind"), [(Login(), "login-missing"), (Login("ci", "wrong-one"), "login-refused")])
@pytest.mark.parametrize("bearer", [False, True], ids=["basic", "token"])
def test_a_wrong_login_is_told_from_none(registry, bearer, kept, kind) -> None:
    registry.basic, registry.bearer = "ci:s3cret-of-ci", bearer
    with pytest.raises(BuildFailure) as caught:
        find(registry, kept)
    assert caught.value.kind == kind
    assert "wrong-one" not in caught.value.message


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_registry_is_asked_again(registry, status) -> None:
    digest = registry.put("rl/verl", "1", {"schemaVersion": 2})
    registry.statuses = [status, status]
    assert find(registry)[2].digest == digest


def test_what_stays_wrong_has_a_kind(registry) -> None:
    for statuses, tag, kind in [([], "gone", "base-unknown"), ([403], "1", "push-denied")]:
        registry.statuses = statuses
        with pytest.raises(BuildFailure) as caught:
            find(registry, tag=tag)
        assert caught.value.kind == kind
        assert f"{registry.address}/rl/verl:{tag}" in caught.value.message


def test_a_registry_that_is_not_there_cannot_be_reached() -> None:
    place = location("127.0.0.1:9/rl/verl:1")
    with pytest.raises(BuildFailure) as caught:
        Registry(place.host, kept=Login()).find(place)
    assert caught.value.kind == "registry-unreachable"


@pytest.mark.parametrize("answer", ["manifests/1", "blobs", "token"])
def test_an_answer_that_is_none_of_a_registry_is_told(registry, answer) -> None:
    """A proxy's page, for example, of status 200."""
    registry.put_image("rl/verl", "1", {})
    registry.basic, registry.bearer = "ci:s3cret-of-ci", answer == "token"
    replaced = [path for path in registry.documents if path.startswith(f"rl/verl/{answer}")]
    for text in (b"<html>log in first</html>", b"", b"\xff", b"[1]", b"null", b'"a"'):
        registry.documents |= dict.fromkeys(replaced, text)
        registry.token = text if answer == "token" else registry.token
        with pytest.raises(BuildFailure) as caught:
            client, place, found = find(registry, LOGIN)
            client.labels(place, found)
        failure = caught.value
        if answer == "token":
            assert failure.kind == "login-refused"
        else:
            assert failure.kind == "no-registry"
            assert failure.message.startswith(f"what answers at `{registry.address}` is no registry: ")


def test_a_document_of_another_form_has_no_platforms_and_no_labels(registry) -> None:
    wrong = ({}, "a", ["a"], [[]], {"a": "b"}, {"os": 1}, 1, None, True)
    documents = [{"manifests": value} for value in wrong]
    documents += [{"manifests": [{"digest": digest, "platform": {"os": "linux"}}]} for digest in (1, None, [])]
    documents += [{"manifests": [{"digest": "sha256:1", "platform": value}]} for value in (1, "a", ["a"], {})]
    documents += [{"config": value} for value in wrong] + [{"config": {"digest": value}} for value in (1, None, {})]
    place = location(f"{registry.address}/rl/verl:1")
    client = Registry(place.host, kept=Login())
    for document in documents:
        found = Found("sha256:0", document)
        assert found.platforms == {}
        assert client.labels(place, found) == {}
    for kept in (*({"config": value} for value in wrong), {"config": {"Labels": ["a"]}}):
        registry.documents["rl/verl/blobs/sha256:1"] = json.dumps(kept).encode()
        assert client.labels(place, Found("sha256:0", {"config": {"digest": "sha256:1"}})) == {}
