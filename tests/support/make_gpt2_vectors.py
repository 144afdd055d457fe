"""Make tests/mathematics/small_gpt2: a small model in GPT-2's published format, and what transformers says of it.

Its weights are random, and so large that a mistake shows: those that transformers starts with (0.02) would make
all attention nearly even. Run it in an environment of its own, from the course's folder:

    pip install transformers==5.23.0 torch==2.13.0 safetensors==0.8.0 tokenizers==0.23.3
    python tests/support/make_gpt2_vectors.py
"""

import json
import pathlib

import tokenizers
import torch
import transformers
from safetensors.torch import save_file

FOLDER = pathlib.Path("tests/mathematics/small_gpt2")
TEXTS = [
    "The chai is hot",
    "premature optimization is the root cause of all evil",
    "It isn't hot, it's 40 °C!",
]
SIZES = {"vocab_size": 300, "n_positions": 32, "n_embd": 32, "n_layer": 2, "n_head": 4}


def write_tokenizer():
    """Byte-level pairs learned from the texts, in the form that the published file has: without a few newer keys."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.post_processor = tokenizers.processors.ByteLevel(trim_offsets=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=SIZES["vocab_size"] - 1, initial_alphabet=sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    )  # fmt: skip
    tokenizer.train_from_iterator(TEXTS * 3, trainer)
    tokenizer.add_special_tokens(["<|endoftext|>"])
    written = json.loads(tokenizer.to_str())
    for newer in ("type", "byte_fallback", "ignore_merges"):
        written["model"].pop(newer)
    written["model"] |= {"continuing_subword_prefix": "", "end_of_word_suffix": ""}
    written["model"]["merges"] = [" ".join(pair) for pair in written["model"]["merges"]]
    for part in ("pre_tokenizer", "post_processor", "decoder"):
        written[part].pop("use_regex")
    text = json.dumps(written, ensure_ascii=False, separators=(",", ":"))
    (FOLDER / "tokenizer.json").write_text(text + "\n", encoding="utf-8")


def write_weights(config):
    """Random weights under the published names: no prefix, and each layer's causal mask as attn.bias."""
    torch.manual_seed(0)
    model = transformers.GPT2LMHeadModel(config)
    stored = {}
    for name, weight in model.transformer.named_parameters():
        stored[name] = 0.3 * torch.randn(weight.shape)
        if ".ln_" in f".{name}" and name.endswith("weight"):
            stored[name] += 1
    triangle = torch.ones(SIZES["n_positions"], SIZES["n_positions"]).tril()[None, None]
    stored |= {f"h.{layer}.attn.bias": triangle.clone() for layer in range(SIZES["n_layer"])}
    save_file(stored, FOLDER / "model.safetensors", metadata={"format": "pt"})


def ask(text, tokenizer, model):
    """What transformers makes of one text."""
    ids = tokenizer(text)["input_ids"]
    with torch.no_grad():
        answer = model(torch.tensor([ids]), output_attentions=True)
    weights = torch.cat(answer.attentions).numpy().astype(float)
    logits = answer.logits[0].numpy().astype(float)
    return {
        "text": text,
        "ids": ids,
        "logits": logits.round(5).tolist(),
        "weights": weights.round(6).tolist(),
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    config = transformers.GPT2Config(**SIZES, bos_token_id=299, eos_token_id=299)
    config.architectures = ["GPT2LMHeadModel"]
    (FOLDER / "config.json").write_text(config.to_json_string(), encoding="utf-8")
    write_tokenizer()
    write_weights(config)
    tokenizer = transformers.AutoTokenizer.from_pretrained(FOLDER)
    model = transformers.AutoModelForCausalLM.from_pretrained(FOLDER, attn_implementation="eager").eval()
    rows = ",\n".join(json.dumps(ask(text, tokenizer, model)) for text in TEXTS)
    made_with = {"transformers": transformers.__version__, "torch": torch.__version__.split("+")[0]}
    told = f'{{"made_with": {json.dumps(made_with)}, "texts": [\n{rows}\n]}}\n'
    (FOLDER / "expected.json").write_text(told, encoding="utf-8")
