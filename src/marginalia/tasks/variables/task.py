"""The card of the variables task."""

from marginalia.core.task import Metric, SystemCard, Task, late

TASK = Task(
    name="variables",
    question="Which survey variables does this sentence use?",
    shared_task="SV-Ident 2022, Survey Variable Identification (SDP at COLING 2022), English and German",
    data_licence="per publication, SSOAR grant of licences (SV-Ident); none stated for the vocabulary",
    weights_licence="no weights yet",
    splits={
        "train": "official train without six documents: 2,967 sentences of 24 documents",
        "dev": "official validation without six documents: 328 sentences of the documents in train",
        "test": "those six documents: 953 sentences (the official blind test is not public)",
        "trial-train": "official trial data (2018, other rules): 446 English and 573 German sentences",
        "trial-test": "official trial data: 87 English and 111 German sentences",
    },
    # On no published board: those are on the blind test and the whole vocabulary, which nobody can get.
    metrics=(Metric("detection.f1"), Metric("disambiguation.map@10")),
    systems=(
        SystemCard(
            name="baseline",
            make=late(__package__, "baselines.Baseline"),
            summary="bow to detect and tfidf to link, the best of these baselines across documents",
            trains=True,
        ),
        SystemCard(
            name="bow",
            make=late(__package__, "baselines.BagOfWords"),
            summary="detection: bag-of-words logistic regression",
            trains=True,
        ),
        SystemCard(
            name="naive-bayes",
            make=late(__package__, "baselines.NaiveBayes"),
            summary="detection: bag-of-words naive Bayes",
            trains=True,
        ),
        SystemCard(
            name="similarity",
            make=late(__package__, "baselines.Similarity"),
            summary="detection: some candidate variable is more similar than a threshold",
            trains=True,
        ),
        SystemCard(
            name="bm25",
            make=late(__package__, "baselines.make_bm25"),
            summary="linking: BM25 over the candidates' words",
        ),
        SystemCard(
            name="tfidf",
            make=late(__package__, "baselines.make_tfidf"),
            summary="linking: cosine of TF-IDF over groups of four letters",
        ),
        SystemCard(
            name="majority",
            make=late(__package__, "baselines.Majority"),
            summary="detection: the more frequent class for every sentence",
            kind="floor",
            trains=True,
        ),
        SystemCard(
            name="random",
            make=late(__package__, "baselines.Random"),
            summary="a coin and a shuffled catalogue, drawn from the sentence's id",
            kind="floor",
        ),
    ),
    best="baseline",
    load=late(__package__, "data.load"),
    options={"candidates": ("surveys", "all")},
    score=late(__package__, "score.score"),
    statistics=late(__package__, "score.statistics"),
    score_files=late(__package__, "submission.score_files"),
    write_submission=late(__package__, "submission.write_submission"),
    encode=late(__package__, "mention.encode"),
    decode=late(__package__, "mention.decode"),
    sources=late(__package__, "data.sources"),
    published=late(__package__, "data.published"),
    derive=late(__package__, "derive.derive"),
)
