"""What commands say, write and draw, and what the library answers, word for word.

``python -m tests.golden`` records what is meant to change. A command is a line of ``commands.txt``, a question to the
library one of ``answers.txt``, a short source one of ``snippets.txt``, and ``figures.py`` draws what no command of the
list draws; what was told is in ``told/``. Of a picture its artists are kept: where each is, in which colour, above or
below which, with which words. A change of a word or of a picture that is meant is recorded and read in the difference;
one that is not meant is a test that fails.
"""
