"""Tic-Tac-Toe, searched against itself. Run: python crates/python/examples/tic_tac_toe.py"""

from __future__ import annotations

import ramure

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
# The other two cells of each line through a cell.
OTHERS = [[tuple(c for c in line if c != cell) for line in LINES if cell in line] for cell in range(9)]


class TicTacToe:
    """The cells are numbered from 0 to 8."""

    def __init__(self, board: list[int | None] | None = None, player: int = 0, winner: int | None = None) -> None:
        self.board: list[int | None] = [None] * 9 if board is None else board
        self.player, self.winner = player, winner

    def __copy__(self) -> TicTacToe:
        return TicTacToe(self.board.copy(), self.player, self.winner)

    def turn(self) -> int | None:
        return None if self.winner is not None or None not in self.board else self.player

    def actions(self) -> list[int]:
        return [cell for cell, owner in enumerate(self.board) if owner is None]

    def apply(self, cell: int) -> None:
        board, player = self.board, self.player
        board[cell] = player
        for a, b in OTHERS[cell]:
            if board[a] == board[b] == player:
                self.winner = player
        self.player = 1 - player

    def reward(self, player: int) -> float:
        return 0.5 if self.winner is None else float(self.winner == player)

    def __str__(self) -> str:
        cells = ["." if owner is None else "XO"[owner] for owner in self.board]
        return "\n".join("".join(cells[row : row + 3]) for row in (0, 3, 6))


def main() -> None:
    state = TicTacToe()
    search = ramure.Search(state, seed=1)
    while state.turn() is not None:
        action = search.run(iterations=1_000).best_action
        assert action is not None
        search.advance(action)
        state.apply(action)
        print(state, end="\n\n")
    print("a draw" if state.winner is None else f"{'XO'[state.winner]} wins")


if __name__ == "__main__":
    main()
