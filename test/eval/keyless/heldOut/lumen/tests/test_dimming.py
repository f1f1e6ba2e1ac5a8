async def test_crossings_stay_bright(lamp):
    lamp.is_crossing = True
    with pytest.raises(TooDark):
        await dim(lamp, 40)


async def test_humming_levels_are_raised(lamp):
    await dim(lamp, 5)
    assert lamp.level == 12
