"""The home folder inside a container, where the image or the node has another one, or none that can be written to."""

from __future__ import annotations

import pytest
import ways
from generated import render


@pytest.mark.parametrize("way", ["apptainer", "pyxis"])
def test_caches_have_a_place_where_the_image_has_no_home(way: str) -> None:
    sim = ways.cluster(way, nodes=1)
    try:
        driver = {"command": ["sh", "-c", 'mkdir "${HOME}/.triton" && exec sim-driver']}
        status, log = ways.run(way, sim, render(sim, {"targets": {"job": ways.target(way)}, "driver": driver}))
        assert status == 0, log
        (call,) = sim.records("driver")
        assert call["env"]["HOME"] == "/tmp/mngen-1-0/home"
        assert sim.left("node1") == []
    finally:
        sim.close()


@pytest.mark.parametrize("way", ["apptainer", "pyxis"])
def test_what_is_mounted_below_a_home_that_is_replaced_is_found_there(way: str) -> None:
    sim = ways.cluster(way, nodes=1, image={"env": {"HOME": "/root"}})
    try:
        caches = sim.work / "caches"
        (caches / "hub").mkdir(parents=True)
        places = {"/root/.cache": caches, "/root/.cache/hub": caches / "hub", "/root/a/b": caches, "/rooted/x": caches}
        mounts = [{"source": str(source), "target": place} for place, source in places.items()]
        write = 'echo "${HOME}" >"${HOME}/.cache/hub/home" && mkdir "${HOME}/.triton" && exec sim-driver'
        fields = {
            "driver": {"command": ["sh", "-c", write]},
            "mounts": mounts,
            "targets": {"job": ways.target(way)},
        }
        status, log = ways.run(way, sim, render(sim, fields))
        assert status == 0, log
        assert (caches / "hub" / "home").read_text() == "/tmp/mngen-1-0/home\n"
        assert sim.left("node1") == []
    finally:
        sim.close()


@pytest.mark.parametrize("way", ways.CONTAINED)
def test_a_mount_without_a_target_is_where_it_is_on_the_node(way: str) -> None:
    """Also below the node's own home, which is nowhere in the image, and below one that is replaced."""
    sim = ways.cluster(way, nodes=2)
    try:
        cache = sim.home / ".cache" / "hub"
        cache.mkdir(parents=True)
        (sim.work / "data").mkdir()
        mounts = [
            {"source": "${{ env.HOME }}/.cache/hub"},
            {"source": str(sim.work)},
            {"source": str(sim.work), "target": "${{ env.SITE }}/y"},
        ]
        places = '"${1}/.cache/hub" "data" "${SITE}/y/data"'
        write = f'cd {sim.work} && for at in {places}; do echo there >"${{at}}/at" || exit 1; done && exec sim-driver'
        target = {**ways.target(way), "mounts": mounts}
        driver = {"command": ["bash", "-c", write, "bash", "${{ env.HOME }}"]}
        fields = {"driver": driver, "env": {"SITE": "${{ env.SITE }}"}, "targets": {"job": target}}
        status, log = ways.run(way, sim, render(sim, fields), env={"SITE": "/site"})
        assert status == 0, log
        assert (cache / "at").read_text() == (sim.work / "data" / "at").read_text() == "there\n"
    finally:
        sim.close()


@pytest.mark.parametrize("way", ["apptainer", "pyxis"])
def test_what_is_mounted_at_the_nodes_own_home_is_found_in_the_one_that_replaces_it(way: str) -> None:
    sim = ways.cluster(way, nodes=1)
    try:
        cache = sim.home / ".cache" / "hub"
        cache.mkdir(parents=True)
        write = 'echo "${HOME}" >"${HOME}/.cache/hub/home" && exec sim-driver'
        target = {**ways.target(way), "mounts": [{"source": "${{ env.HOME }}/.cache/hub"}]}
        status, log = ways.run(
            way, sim, render(sim, {"driver": {"command": ["sh", "-c", write]}, "targets": {"job": target}})
        )
        assert status == 0, log
        assert (cache / "home").read_text() == "/tmp/mngen-1-0/home\n"
    finally:
        sim.close()


@pytest.mark.parametrize("way", ways.CONTAINED)
def test_a_variable_of_the_node_is_not_the_images_or_the_containers(way: str) -> None:
    """A home that the container has not got is replaced there, and what goes into that place is gone with the job."""
    sim = ways.cluster(way, nodes=1, image={"env": {"SITE": "/of/image"}})
    try:
        fields = {
            "driver": {"command": ["sim-driver"], "args": ["${{ env.HOME }}/x", "${{ env.SITE }}"]},
            "env": {"PLACE": "${{ env.HOME }}/y"},
            "targets": {"job": ways.target(way)},
        }
        status, log = ways.run(way, sim, render(sim, fields), env={"SITE": "/of/node"})
        assert status == 0, log
        (call,) = sim.records("driver")
        assert call["argv"] == [f"{sim.home}/x", "/of/node"]
        assert call["env"]["PLACE"] == f"{sim.home}/y"
    finally:
        sim.close()
