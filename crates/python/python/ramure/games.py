"""The games of the crate, searched at the speed of Rust.

>>> import ramure
>>> search = ramure.Search(ramure.games.connect4(), seed=7)
>>> search.run(iterations=2_000).best_action
3
"""

from ramure._ramure import Game

__all__ = ["Game", "connect4", "hex", "sudo_tic_tac_toe", "tic_tac_toe"]


def tic_tac_toe() -> Game:
    """Return the empty board of Tic-Tac-Toe. Actions are the cells, 1 to 9."""
    return Game("tic-tac-toe")


def connect4() -> Game:
    """Return the empty board of Connect 4. Actions are the columns, 0 to 6."""
    return Game("connect4")


def hex(size: int = 11) -> Game:  # noqa: A001
    """Return the empty board of Hex of a size from 2 to 19. Actions are the cells, as in "c4". There is no swap rule."""
    return Game(f"hex:{size}")


def sudo_tic_tac_toe(*, ultimate: bool = False) -> Game:
    """Return the empty board of Sudo Tic-Tac-Toe, or of Ultimate Tic-Tac-Toe. Actions are the cells, as in "5.1": the first cell of
    the board in the middle."""
    return Game("sudo:2" if ultimate else "sudo:1")
