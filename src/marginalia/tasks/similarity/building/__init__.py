"""How the data of STS 2013 were made: pairs, records and gold."""
