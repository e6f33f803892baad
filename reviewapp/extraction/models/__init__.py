"""Language models as readers and judges. What is sent and how replies are read; the calls themselves are `Desk`'s."""

from reviewapp.extraction.models.question import Desk, NoReply, Question
from reviewapp.extraction.models.reader import ModelReader

__all__ = ["Desk", "ModelReader", "NoReply", "Question"]
