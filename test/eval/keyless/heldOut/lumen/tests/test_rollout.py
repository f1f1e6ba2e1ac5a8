async def test_stops_when_canaries_stay_away(fleet):
    fleet.lose(2)
    with pytest.raises(RolloutStopped):
        await rollout(IMAGE, fleet.lamps)
