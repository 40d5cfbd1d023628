"""A move as plain DRF and ORM would do it, and the addresses of a service that has it beside its own."""

from __future__ import annotations

from typing import Any

import msgspec
from django.db import connection, transaction
from django.urls import path
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config import urls
from games import selectors
from games.api import CookiesNeedToken, TableShape
from games.engine.rng import Rng
from games.models import Table, TableEvent
from games.rules import game as game_of
from wordlists.selectors import lexicon


class PlainMove(serializers.Serializer):
    type = serializers.CharField()
    round = serializers.IntegerField(min_value=1)
    cards = serializers.ListField(child=serializers.CharField(), required=False)


class PlainMoves(APIView):
    """Lock, check, apply, save, log, notify and answer, each by the means that come first to mind."""

    authentication_classes = [CookiesNeedToken]

    def post(self, request: Request, table_id: Any) -> Response:
        viewer = request.viewer  # type: ignore[attr-defined]
        shape = PlainMove(data=request.data)
        shape.is_valid(raise_exception=True)
        with transaction.atomic():
            table = Table.objects.select_for_update().get(id=table_id, session=viewer.session)
            seat = table.seats.get(participant=viewer.id)
            game = game_of(table.game)
            now = int(timezone.now().timestamp() * 1000) - table.clock_offset
            rng = Rng(table.seed, table.version + 1)
            words = lexicon(table.words_hash, game.lexicon)
            move = game.move_from(shape.validated_data)
            step = game.apply(game.state_from(table.state), seat.number, move, words, rng, now)
            table.state = game.dump(step.state)
            table.version += 1
            table.save()
            TableEvent.objects.create(
                table=table,
                turn=table.version,
                seat=seat.number,
                move=game.dump(move),
                facts=[game.dump(fact) for fact in step.facts],
                now=now,
                at=timezone.now(),
                digest=game.digest(step.state),
            )
            seat.draft = None
            seat.save()
            payload = {"topic": f"table:{table.id}", "version": table.version, "public": game.public(step.state)}
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_notify('plain', %s)", [msgspec.json.encode(payload).decode()])
        return Response(TableShape(selectors.table_view(table.id, viewer)).data)


urlpatterns = [path("plain/<uuid:table_id>/moves/", PlainMoves.as_view()), *urls.urlpatterns]
