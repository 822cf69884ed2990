"""The section ``ratss``: Tables I-XII of Holland et al. 2011, predicted and simulated."""
