"""Names as the papers print them."""

SHOWN = {
    "ams_1000": "AMS",
    "flare_solar": "flare-solar",
    "breast_cancer": "breast cancer",
    "dlbcl": "DLBCL",
    "irelief": "I-RELIEF",
    "irelief_1": "I-RELIEF-1",
    "irelief_bs": "I-RELIEF/BS",
    "knn_clean": "KNN, clean",
    "knn_noisy": "KNN, noisy",
    "ks": "KS",
    "lofe": "LOFE",
    "relieff": "RELIEF-F",
    "rfe_rbf": "RFE",
    "simba": "Simba",
    "svm_all": "SVM, all features",
    "svm_original": "SVM, original features",
}


def shown(name):
    """The name of a method or a set as printed; one that is not listed is printed as it is."""
    return SHOWN.get(name, name)
