"""Pictures that staff upload: checked, encoded again in several sizes, stored and served."""
