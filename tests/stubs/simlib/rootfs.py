"""Placeholder."""


def enter_pyxis(sim, pyxis, env):
    return env
