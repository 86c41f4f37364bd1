"""The control that sets the focal point of a picture, with the crops that follow from it."""

import reflex as rx

from ..scripts import script


class FocalPoint(rx.Component):
    """A picture on which a point is set by pointer or keys, and the `crops` that keep it.

    The inputs `focal_x` and `focal_y` hold it in whole percent, from `x` and `y` at first. `crops` are pairs of the
    shape of a `Picture` (records/inputs.py) and its label; `value_text` has `{x}` and `{y}`.
    """

    library, tag = script("focal_point.jsx", "FocalPoint")
    src: rx.Var[str]
    width: rx.Var[int]
    height: rx.Var[int]
    x: rx.Var[str]
    y: rx.Var[str]
    label: rx.Var[str]
    hint: rx.Var[str]
    value_text: rx.Var[str]
    crops_label: rx.Var[str]
    crops: rx.Var[list[list[str]]]


focal_point = FocalPoint.create
