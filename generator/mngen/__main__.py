"""``python -m mngen``."""

from mngen.cli import main

if __name__ == "__main__":
    main()
