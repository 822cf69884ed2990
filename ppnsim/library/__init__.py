"""The Python library: a function for each command, with typed results, and the methods of networks and runs.

Functions take a path or an object. A command is options, the function of its name here, and its report.
"""
