"""The actions of a turn, one chapter each; :mod:`~engine.eclipse.actions.activation` is what they share."""
