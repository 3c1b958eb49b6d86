"""``python -m marginalia``"""

from marginalia.cli.main import main

if __name__ == "__main__":
    main()
