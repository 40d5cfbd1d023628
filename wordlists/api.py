"""Word lists under ``/api/v1/wordlists/``."""

from __future__ import annotations

from dataclasses import asdict

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from wordlists import access
from wordlists.viewer import ANONYMOUS


class WordListSerializer(serializers.Serializer):
    """A list that a session can be played with."""

    language = serializers.CharField()
    band = serializers.CharField()
    kind = serializers.CharField()
    hash = serializers.CharField(help_text="SHA-256 of the list's content; tables name their list by it.")
    title = serializers.CharField()
    licence = serializers.CharField()
    words = serializers.IntegerField()
    faces = serializers.IntegerField(help_text="Different cards.")


class WordListsAPI(APIView):
    """The lists to choose from."""

    authentication_classes = ()

    @extend_schema(operation_id="list_wordlists", responses=WordListSerializer(many=True), tags=["wordlists"])
    def get(self, request: Request) -> Response:
        viewer = getattr(request, "viewer", ANONYMOUS)
        return Response([asdict(listed) for listed in access.visible_lists(viewer)])


urlpatterns = [path("wordlists/", WordListsAPI.as_view(), name="wordlists")]
