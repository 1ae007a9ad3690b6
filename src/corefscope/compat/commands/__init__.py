"""Drop-in command lines of reference scorers, and of a platform that runs ours."""
