"""Tiny random encoders as a training may start from them, written by ``transformers``; needs torch."""

from __future__ import annotations

from pathlib import Path

WORDS = (
    "a the man men woman dog cat is are was plays play playing guitar runs run sleeps over moon river water mg of "
    "was measured at depth samples kg 5 10 20 m the we year survey trust government how often people vote"
).split()


def tiny_encoder(folder: Path, kind: str = "bert", *, layers: int = 3, seed: int = 0) -> Path:
    """A folder with an encoder of random weights, 32 wide, and a tokenizer of a few words and all letters."""
    import torch
    import transformers

    folder.mkdir(parents=True)
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = [chr(code) for code in range(33, 127) if not chr(code).isupper()]
    words = [word for word in dict.fromkeys(WORDS) if len(word) > 1]
    pieces = dict.fromkeys([*marks, *letters, *(f"##{letter}" for letter in letters), *words])
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    tokenizer = transformers.BertTokenizerFast(
        vocab=str(folder / "vocab.txt"), model_max_length=128, do_lower_case=True
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    shape = {"vocab_size": len(pieces), "max_position_embeddings": 256}
    if kind == "distilbert":
        config = transformers.DistilBertConfig(
            dim=32, n_heads=2, n_layers=layers, hidden_dim=64, **shape
        )
        model = transformers.DistilBertModel(config)
    else:
        made = {"bert": "Bert", "roberta": "Roberta"}[kind]
        config = getattr(transformers, f"{made}Config")(
            hidden_size=32,
            num_attention_heads=2,
            num_hidden_layers=layers,
            intermediate_size=64,
            pad_token_id=0,
            **shape,
        )
        model = getattr(transformers, f"{made}Model")(config)
    model.save_pretrained(folder)
    return folder
