"""The actions of a turn, one module each; :mod:`~engine.eclipse.actions.activation` is common to them."""
