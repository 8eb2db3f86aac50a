"""Short scenes, each with one difficulty of real footage, and everything that is true about them."""
