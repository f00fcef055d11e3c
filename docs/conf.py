"""How the documentation is built: `make docs`."""

import inspect
from pathlib import Path

import hitmiss

project = "hitmiss"
author = "hitmiss developers"
copyright = "hitmiss developers"
version = release = hitmiss.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx-mathjax-offline",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build"]
templates_path = ["_templates"]
default_role = "literal"  # names in single backticks, as in the docstrings

myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"  # the docstrings say it in words
numpydoc_show_class_members = False  # the template of a class lists them

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "backreferences_dir": "gallery/backreferences",
    "doc_module": ("hitmiss",),
    "within_subsection_order": "ExampleTitleSortKey",
    "download_all_examples": False,
    "show_memory": False,
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = f"hitmiss {version}"
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"*": [], "*/**": ["sidebar-nav-bs"]}  # pages on their own need none
html_theme_options = {
    "logo": {"text": "hitmiss"},
    "header_links_before_dropdown": 5,
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": [],
}

API_HEAD = """\
API reference
=============

Every estimator has besides its own methods those of a scikit-learn selector: `fit_transform`,
`transform`, `inverse_transform`, `get_support`, `get_feature_names_out`, `set_output`,
`get_params`, `set_params`.
"""


def write_api(app, config):
    """The page of all public names, so that a new one appears by itself."""
    public = {name: getattr(hitmiss, name) for name in dir(hitmiss)}  # modules too
    classes = [name for name, value in public.items() if inspect.isclass(value)]
    functions = [name for name, value in public.items() if inspect.isfunction(value)]
    parts = [
        API_HEAD,
        api_section("Estimators", "hitmiss", classes),
        api_section("Functions", "hitmiss", functions),
    ]
    for value in public.values():
        if inspect.ismodule(value):
            about = value.__doc__.splitlines()[0]
            parts.append(api_section(value.__name__, value.__name__, public_names(value), about))
    page = Path(app.srcdir, "api", "index.rst")
    page.parent.mkdir(exist_ok=True)
    text = "\n".join(parts)
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


def public_names(module):
    own = [name for name, value in vars(module).items() if _is_defined_in(module, name, value)]
    return getattr(module, "__all__", own)


def _is_defined_in(module, name, value):
    return not name.startswith("_") and getattr(value, "__module__", "") == module.__name__


def api_section(title, module, names, about=""):
    lines = [title, "-" * len(title), "", about, "", f".. currentmodule:: {module}", ""]
    lines += [".. autosummary::", "   :toctree: .", "   :nosignatures:", ""]
    return "\n".join([*lines, *(f"   {name}" for name in names), ""])


def is_foreign(app, what, name, member, skip, options):
    """Leave out what scikit-learn or Python brought along; attributes are in the docstring."""
    home = getattr(member, "__module__", None) or ""
    return skip or not (inspect.isroutine(member) and home.startswith("hitmiss"))


def quote_names(app, what, name, obj, options, lines):
    """A name that ends in an underscore would be a link; numpydoc leaves types as they are."""
    lines[:] = [line.replace("(n_features_in_,", "(`n_features_in_`,") for line in lines]


def setup(app):
    app.connect("autodoc-process-docstring", quote_names, priority=100)  # before numpydoc
    app.connect("config-inited", write_api)
    app.connect("autodoc-skip-member", is_foreign)
