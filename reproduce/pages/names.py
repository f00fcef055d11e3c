"""Names as the papers print them."""

SHOWN = {
    "ams_1000": "AMS",
    "breast_cancer": "breast cancer",
    "dlbcl": "DLBCL",
    "flare_solar": "flare-solar",
    "gems_9_tumors": "9-Tumors",
    "gems_brain_tumor2": "Brain-Tumor2",
    "gems_dlbcl": "DLBCL",
    "gems_leukemia1": "Leukemia-1",
    "gems_prostate_tumor": "Prostate-Tumor",
    "gems_srbct": "SRBCT",
    "irelief": "I-RELIEF",
    "irelief_1": "I-RELIEF-1",
    "irelief_2": "I-RELIEF-2",
    "irelief_auto": "I-RELIEF-2, σ from the data",
    "irelief_bs": "I-RELIEF/BS",
    "knn_clean": "KNN, clean",
    "knn_noisy": "KNN, noisy",
    "ks": "KS",
    "leukemia_golub": "leukemia",
    "lofe": "LOFE",
    "lofe_auto": 'LOFE, α "auto", both orders',
    "lofe_both": "LOFE, both orders",
    "lofe, evidence": "LOFE, α by the evidence",
    "lofe, strongest": "LOFE, strongest α",
    "lofe_margin": "LOFE, by mean margin",
    "online_sparse": "online, sparse passes",
    "online_lofe": "online LOFE",
    "online_lofe, α = 1": "online LOFE, α = 1",
    "prostate_cancer": "prostate cancer",
    "prostate_singh": "prostate",
    "relief": "RELIEF",
    "relieff": "RELIEF-F",
    "rfe_rbf": "RFE",
    "simba": "Simba",
    "svm_all": "SVM, all features",
    "svm_original": "SVM, original features",
    "tox_171": "TOX",
}


def shown(name):
    """The name of a method or a set as printed; itself if it is not listed."""
    return SHOWN.get(name, name)
