"""A competition: teams hand in predictions, the official scorer scores them, a leaderboard ranks them."""
