"""The paper's table of the ℓ_{1+δ} ball and its Figures 1 and 2, measured again with this program."""
