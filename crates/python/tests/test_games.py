"""The games of the crate."""

import copy
import pickle

import numpy as np
import pytest
import ramure
from ramure import games

ALL = [games.tic_tac_toe, games.connect4, lambda: games.hex(5), games.sudo_tic_tac_toe]


@pytest.mark.parametrize("start", ALL)
def test_each_game_is_played_to_its_end(start):
    state, search = start(), ramure.Search(start(), seed=1)
    while state.turn() is not None:
        report = search.run(iterations=30)
        assert [entry.action for entry in report.actions] == state.actions()
        search.advance(report.best_action)
        state.apply(report.best_action)
        assert str(search.state) == str(state)
    assert sum(state.reward(player) for player in range(state.players())) == 1.0
    assert state.actions() == []


def test_algorithms_by_text_and_threads():
    for algorithm in ["grave:ref=30", "ucb1:threads=2", "puct", "ucb1:rollout=mast"]:
        report = ramure.Search(games.connect4(), algorithm, seed=2).run(iterations=300)
        assert report.best_action in range(7) and "Connect4(" not in str(report)


@pytest.mark.parametrize("settings", [{"threads": 2}, {"algorithm": "ucb1:threads=2"}])
def test_a_seed_fixes_the_result_on_several_threads(settings):
    def new():
        return ramure.Search(games.connect4(), seed=4, **settings)

    # For longer than the time between two looks for Ctrl-C.
    iterations = int(0.3 * new().run(iterations=2_000).iterations_per_second)
    assert new().run(iterations=iterations).actions == new().run(iterations=iterations).actions


def test_a_search_is_saved_and_goes_on(tmp_path):
    search = ramure.Search(games.connect4(), seed=5)
    search.run(iterations=500)
    search.advance(3)
    search.save(tmp_path / "tree")
    other = ramure.Search(games.connect4())
    other.load(tmp_path / "tree")
    assert str(other.state) == str(search.state)
    assert other.run(iterations=100).actions == search.run(iterations=100).actions
    (tmp_path / "tree").write_bytes(b"no tree")
    with pytest.raises(ValueError):
        other.load(tmp_path / "tree")
    with pytest.raises(FileNotFoundError):
        other.load(tmp_path / "missing")
    with pytest.raises(OSError):
        other.save(tmp_path / "no folder" / "tree")


def test_a_page_has_pictures():
    search = ramure.Search(games.connect4())
    search.run(iterations=50)
    page = search.page("Connect 4")
    assert "Connect 4" in page and '"format":"svg"' in page


def test_games_are_games_of_python_too():
    assert "laws hold" in ramure.check(games.tic_tac_toe(), games=20, states=50, constant_sum=1.0)
    state = games.connect4()
    other = copy.deepcopy(state)
    other.apply(3)
    assert (state.board()[5][3], other.board()[5][3], len(games.hex(5).board())) == (-1, 0, 5)
    for attempt in (pickle.dumps, games.Game.__reduce__):
        with pytest.raises(TypeError, match="keep its name and the actions that were played"):
            attempt(state)
    assert str(state) != str(other) and repr(state) == "<ramure.games.Game connect4>"


def test_bad_input():
    with pytest.raises(ValueError, match="did you mean `connect4`"):
        games.Game("conect4")
    with pytest.raises(ValueError, match="laboratory only"):
        games.Game("breakthrough")
    with pytest.raises(ValueError):
        games.hex(0)
    state = games.connect4()
    for action in ["x", 9, None, 3.0]:
        with pytest.raises(ValueError, match="not legal here"):
            state.apply(action)
    with pytest.raises(ValueError, match="not over"):
        state.reward(0)
    search = ramure.Search(state)
    for searching in [search, ramure.Search(state, "ucb1")]:
        with pytest.raises(TypeError, match="another game"):
            searching.reset(games.tic_tac_toe())
        searching.reset(games.connect4())
    with pytest.raises(ValueError, match="into the text"):
        ramure.Search(state, "ucb1", threads=2)


def test_a_game_that_is_being_changed_is_not_searched():
    class Meddling:
        def __str__(self):
            for start in [
                ramure.Search,
                lambda state: ramure.Search(state, "ucb1"),
                lambda state: ramure.compare(state, "random", "random"),
                lambda state: ramure.Search(games.connect4()).reset(state),
            ]:
                with pytest.raises(RuntimeError, match="borrowed"):
                    start(state)
            return "3"

    state = games.connect4()
    state.apply(Meddling())
    assert state.turn() == 1


def test_boards_and_planes_are_arrays():
    state = games.connect4()
    for column in (3, 3, 0):
        state.apply(column)
    board = state.board()
    assert board.dtype == np.int8 and board.shape == (6, 7)
    assert (board[5, 3], board[4, 3], board[5, 0], (board == -1).sum()) == (0, 1, 0, 39)
    mine, theirs, legal, player = state.planes()
    assert np.array_equal(mine, board == 1) and np.array_equal(theirs, board == 0)
    assert np.argwhere(legal).tolist() == [[3, 3], [4, 0], [5, 1], [5, 2], [5, 4], [5, 5], [5, 6]]
    assert (player == 1).all() and state.planes().dtype == np.float32
    for column in (3, 3, 3, 3):
        state.apply(column)
    assert state.planes()[2, :, 3].sum() == 0 and 3 not in state.actions()
    board[:] = 1  # a copy
    assert state.board().sum() != 42


def test_planes_of_every_game():
    for start in ALL:
        state = start()
        while state.turn() is not None:
            mine, theirs, legal, player = state.planes()
            board, mover = state.board(), state.turn()
            assert np.array_equal(mine, board == mover) and np.array_equal(theirs, board == 1 - mover)
            assert legal.sum() == len(state.actions()) and (board[legal == 1] == -1).all() and (player == mover).all()
            action = state.actions()[-1]
            state.apply(action)
            placed = np.argwhere(state.board() != board)
            assert len(placed) == 1 and legal[tuple(placed[0])] == 1
        assert not state.planes().any()
