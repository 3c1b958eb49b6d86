"""The state of a training that is not finished, in safetensors and JSON, which hold no code."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.core.files import read_json

STATE, NUMBERS = "state.json", "state.safetensors"


def save(folder: Path, learner: Any) -> None:
    """Write the state beside what is there, then put it in its place."""
    import torch
    from safetensors.torch import save_file

    tensors: dict[str, Any] = {"random": torch.get_rng_state()}
    if torch.cuda.is_available():
        tensors["random.cuda"] = torch.cuda.get_rng_state()
    for name, network in (("network", learner.network), ("mean", learner.mean)):
        tensors |= {f"{name}.{key}": value for key, value in network.state_dict().items()}
    optimiser = learner.optimiser.state_dict()
    for number, state in optimiser["state"].items():
        tensors |= {f"optimiser.{number}.{key}": value for key, value in state.items()}
    # Some networks name one tensor twice; a file holds each once.
    own = {name: value.detach().cpu().clone().contiguous() for name, value in tensors.items()}
    new = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    save_file(own, str(new / NUMBERS))
    facts = {"stage": learner.stage, "step": learner.step, "schedule": learner.schedule.last_epoch}
    (new / STATE).write_text(json.dumps(facts), encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    new.rename(folder)


def restore(folder: Path, learner: Any) -> bool:
    """Whether there is a state of this stage; then the learner is where it was saved."""
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    if not (folder / STATE).is_file() or not (folder / NUMBERS).is_file():
        return False
    facts = read_json(folder / STATE)
    if facts.get("stage") != learner.stage:
        return False
    try:
        tensors = load_file(str(folder / NUMBERS))
        for name, network in (("network", learner.network), ("mean", learner.mean)):
            network.load_state_dict(_under(tensors, f"{name}."))
        whole = learner.optimiser.state_dict()
        for key, value in _under(tensors, "optimiser.").items():
            number, _, part = key.partition(".")
            whole["state"].setdefault(int(number), {})[part] = value
        learner.optimiser.load_state_dict(whole)
        learner.step = int(facts["step"])
        steps = int(facts["schedule"])
    except (SafetensorError, RuntimeError, KeyError, ValueError) as error:
        raise FormatError(
            f"the state of the training is damaged or of another version ({error}): remove this folder",
            path=folder,
        ) from error
    for _ in range(steps):
        learner.schedule.step()
    torch.set_rng_state(tensors["random"])
    if "random.cuda" in tensors:
        torch.cuda.set_rng_state(tensors["random.cuda"])
    return True


def _under(tensors: dict[str, Any], prefix: str) -> dict[str, Any]:
    return {
        name.removeprefix(prefix): value
        for name, value in tensors.items()
        if name.startswith(prefix)
    }
