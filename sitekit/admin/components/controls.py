"""Buttons, fields, avatars, spinners and bones: elements that `ui/js/controls.jsx` gives a class of the stylesheet."""

from typing import Annotated, Any, Self

import reflex as rx

from ...ui.scripts import script
from .. import texts


class Button(rx.Component):
    """A button: `solid`, `outline`, `ghost` or `link`, of the size `md` or `sm`.

    While it `is_loading` it cannot be pressed, and shows `loading_text` beside a spinner, or the spinner alone.
    """

    library, tag = script("controls.jsx", "Button")
    type_: rx.Var[str]
    variant: rx.Var[str]
    size: rx.Var[str]
    is_wide: rx.Var[bool]
    is_disabled: rx.Var[bool]
    is_loading: rx.Var[bool]
    loading_text: rx.Var[str]


class ButtonLink(rx.Component):
    """A link to a path of the site, plain or var, that looks like a button; takes a button's variant and size."""

    library, tag = script("controls.jsx", "ButtonLink")
    to: rx.Var[str]
    variant: rx.Var[str]
    size: rx.Var[str]

    @classmethod
    def create(cls, *children: Any, href: Any, **props: Any) -> Self:
        """The link, which navigates without a reload."""
        return super().create(*children, to=href, **props)


class FieldFrame(rx.Component):
    """A control with its `label`, and below it the `hint` and the `error`; both are read out with the control."""

    library, tag = script("controls.jsx", "Field")
    label: rx.Var[str]
    hint: rx.Var[str]
    error: rx.Var[str]
    is_required: rx.Var[bool]
    is_invalid: rx.Var[bool]


class TextInput(rx.Component):
    """One line of text."""

    library, tag = script("controls.jsx", "Input")
    name: rx.Var[str]
    type_: rx.Var[str]
    default_value: rx.Var[str]
    placeholder: rx.Var[str]
    on_change: Annotated[rx.EventHandler, rx.event.input_event]
    on_focus: Annotated[rx.EventHandler, rx.event.input_event]


class TextArea(rx.Component):
    """Several lines of text."""

    library, tag = script("controls.jsx", "TextArea")
    name: rx.Var[str]
    default_value: rx.Var[str]


class Select(rx.Component):
    """A choice among `rx.el.option`s, of the size `md` or `sm`."""

    library, tag = script("controls.jsx", "Select")
    name: rx.Var[str]
    value: rx.Var[str]
    default_value: rx.Var[str]
    size: rx.Var[str]
    disabled: rx.Var[bool]
    on_change: Annotated[rx.EventHandler, rx.event.input_event]


class Tick(rx.Component):
    """A checkbox with its label. `on_tick` gets whether it is ticked now."""

    library, tag = script("controls.jsx", "Tick")
    name: rx.Var[str]
    value: rx.Var[str]
    is_checked: rx.Var[bool]
    is_indeterminate: rx.Var[bool]
    is_disabled: rx.Var[bool]
    on_tick: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(bool)]


class Avatar(rx.Component):
    """A round picture of a person with the initials of the `name`."""

    library, tag = script("controls.jsx", "Avatar")
    name: rx.Var[str]


class Spinner(rx.Component):
    """What turns round while something is awaited."""

    library, tag = script("controls.jsx", "Spinner")
    label: rx.Var[str]
    size: rx.Var[str]


button = Button.create
button_link = ButtonLink.create
field_frame = FieldFrame.create
text_input = TextInput.create
text_area = TextArea.create
select = Select.create
tick = Tick.create
avatar = Avatar.create


def spinner() -> rx.Component:
    """What is shown while a page waits."""
    # With a key, or React makes the element that comes of this one, and it moves.
    return rx.el.div(Spinner.create(label=texts.LOADING, size="xl"), class_name="wait", key="wait")


def small_spinner() -> rx.Component:
    """The same in place of a picture of a person."""
    return Spinner.create(label=texts.LOADING)


def bone(height: str = "", width: str = "", *, class_name: str = "", **look: str) -> rx.Component:
    """A grey bar in place of a text that is still to come; lengths are those of CSS."""
    given = {"height": height, "width": width, **look}
    style = {name: length for name, length in given.items() if length}
    # Not Reflex's own `style`, from which Emotion would make a class.
    return rx.el.div(class_name=f"backoffice-bone {class_name}".strip(), custom_attrs={"style": style})


def bone_until(is_known: Any, content: rx.Component) -> rx.Component:
    """A bone of the size of some content, until that is known."""
    return rx.el.div(content, class_name=rx.cond(is_known, "", "backoffice-bone"))
