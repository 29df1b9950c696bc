// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// Compile again, in this folder: npx --yes --package solc@0.8.37 solcjs --optimize --bin TestTokens.sol

/// What all tokens of the tests share. The deployer owns everything.
abstract contract Token {
    event Transfer(address indexed from, address indexed to, uint256 value);

    uint8 public constant decimals = 6;
    mapping(address => uint256) public balanceOf;
    mapping(address => bool) public blocked;

    constructor() {
        balanceOf[msg.sender] = 1e18;
    }

    /// As USDC and USDT do: transfers to a blocked address revert.
    function setBlocked(address account, bool isBlocked) external {
        blocked[account] = isBlocked;
    }

    function move(address to, uint256 value) internal {
        require(!blocked[to], "blocked");
        require(balanceOf[msg.sender] >= value, "balance");
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
    }
}

/// Returns true, as USDC does.
contract Usdc is Token {
    function transfer(address to, uint256 value) external returns (bool) {
        move(to, value);
        return true;
    }
}

/// Returns nothing, as USDT does.
contract Usdt is Token {
    function transfer(address to, uint256 value) external {
        move(to, value);
    }
}

/// Keeps a hundredth of each transfer.
contract FeeToken is Token {
    function transfer(address to, uint256 value) external returns (bool) {
        move(address(this), value / 100);
        move(to, value - value / 100);
        return true;
    }
}

/// Moves nothing and says so, without a revert.
contract FalseToken is Token {
    function transfer(address, uint256) external pure returns (bool) {
        return false;
    }
}

/// Pays through calls of a contract, so that ether arrives without a transaction to the recipient.
contract Payer {
    receive() external payable {}

    function payTokens(Usdt token, address[] calldata to, uint256[] calldata values) external {
        for (uint256 i = 0; i < to.length; i++) token.transfer(to[i], values[i]);
    }

    function payEther(address payable[] calldata to, uint256[] calldata values) external payable {
        for (uint256 i = 0; i < to.length; i++) {
            (bool ok, ) = to[i].call{value: values[i]}("");
            require(ok);
        }
    }

    /// The inner call pays and reverts, and the transaction succeeds.
    function payAndRevertInside(address payable to) external payable {
        try this.payThenRevert{value: msg.value}(to) {} catch {}
    }

    function payThenRevert(address payable to) external payable {
        (bool ok, ) = to.call{value: msg.value}("");
        require(ok);
        revert("inside");
    }

    function destroyInto(address payable to) external payable {
        new Destroyed{value: msg.value}(to);
    }
}

contract Destroyed {
    constructor(address payable to) payable {
        selfdestruct(to);
    }
}
