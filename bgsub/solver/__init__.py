"""Low rank + sparse: the alternating conditional-gradient / proximal-gradient method and its certificate."""
