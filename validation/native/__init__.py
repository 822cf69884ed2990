"""Published designs whose streams do not wait, executed with their testbenches."""
